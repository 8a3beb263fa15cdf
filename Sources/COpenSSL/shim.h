// OpenSSL's libcrypto.
#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H

#include <openssl/sha.h>

#endif
