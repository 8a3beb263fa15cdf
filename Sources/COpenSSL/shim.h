// libcrypto and libssl of OpenSSL. Functions replace the macros that Swift cannot import.
#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

static inline int copenssl_require_tls12(SSL_CTX *context) { return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION); }

static inline void copenssl_set_modes(SSL_CTX *context) {
    // Allow writes of single records and retries from another buffer, and free the buffers of idle connections.
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    // Read as much as possible in one system call instead of the length of each record first.
    SSL_CTX_set_read_ahead(context, 1);
}

static inline int copenssl_set_groups(SSL_CTX *context, const char *list) { return SSL_CTX_set1_groups_list(context, list); }

static inline void copenssl_set_options(SSL_CTX *context) {
    // A client that closes its connection without a close_notify alert, as many do, causes no protocol error.
    SSL_CTX_set_options(
        context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA
            | SSL_OP_IGNORE_UNEXPECTED_EOF);
}

static inline void copenssl_cache_sessions(SSL_CTX *context) { SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_SERVER); }

// Requires the certificate of the peer to match a host name or an address. Only a name is sent as SNI.
static inline int copenssl_expect_host(SSL *ssl, const char *host) {
    X509_VERIFY_PARAM *parameters = SSL_get0_param(ssl);
    if (X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1) return 1;
    ERR_clear_error();
    X509_VERIFY_PARAM_set_hostflags(parameters, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return X509_VERIFY_PARAM_set1_host(parameters, host, 0) == 1 && SSL_set_tlsext_host_name(ssl, host) == 1;
}

#endif
