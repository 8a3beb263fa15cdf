// libcrypto and libssl of OpenSSL. Functions replace the macros that Swift cannot import.
#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <string.h>
#include <sys/socket.h>

static inline int copenssl_require_tls12(SSL_CTX *context) { return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION); }

static inline void copenssl_set_modes(SSL_CTX *context) {
    // Allow writes of single records and retries from another buffer, and free the buffers of a connection after each call.
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    // Read as much as possible in one system call instead of the length of each record first.
    SSL_CTX_set_read_ahead(context, 1);
}

// The socket of a connection as the BIO of libssl. Unlike libssl's own, it can announce to the kernel that more bytes follow,
// which then sends several records together. Its data are the descriptor and, in the lowest bit, whether more bytes follow.
static inline int copenssl_socket_write(BIO *bio, const char *bytes, int count) {
    intptr_t data = (intptr_t)BIO_get_data(bio);
    ssize_t sent = send((int)(data >> 1), bytes, (size_t)count, MSG_NOSIGNAL | (data & 1 ? MSG_MORE : 0));
    BIO_clear_retry_flags(bio);
    if (sent < 0 && BIO_sock_should_retry(-1)) BIO_set_retry_write(bio);
    return (int)sent;
}

static inline int copenssl_socket_read(BIO *bio, char *bytes, int count) {
    ssize_t received = recv((int)((intptr_t)BIO_get_data(bio) >> 1), bytes, (size_t)count, 0);
    BIO_clear_retry_flags(bio);
    if (received < 0 && BIO_sock_should_retry(-1)) BIO_set_retry_read(bio);
    if (received == 0) BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
    return (int)received;
}

static inline long copenssl_socket_control(BIO *bio, int command, long number, void *pointer) {
    (void)number, (void)pointer;
    switch (command) {
    case BIO_CTRL_FLUSH:
    case BIO_CTRL_DUP: return 1;
    case BIO_CTRL_EOF: return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0;
    default: return 0;
    }
}

// Returns NULL if memory is exhausted.
static inline BIO_METHOD *copenssl_socket_method(void) {
    BIO_METHOD *method = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "nonblocking socket");
    if (!method) return 0;
    BIO_meth_set_write(method, copenssl_socket_write);
    BIO_meth_set_read(method, copenssl_socket_read);
    BIO_meth_set_ctrl(method, copenssl_socket_control);
    return method;
}

static inline int copenssl_set_socket(SSL *ssl, const BIO_METHOD *method, int descriptor) {
    BIO *bio = method ? BIO_new(method) : 0;
    if (!bio) return 0;
    BIO_set_data(bio, (void *)((intptr_t)descriptor << 1));
    BIO_set_init(bio, 1);
    SSL_set_bio(ssl, bio, bio);
    return 1;
}

// Sets whether more bytes follow the next write.
static inline void copenssl_announce_more(SSL *ssl, int more) {
    BIO *bio = SSL_get_wbio(ssl);
    BIO_set_data(bio, (void *)(((intptr_t)BIO_get_data(bio) & ~(intptr_t)1) | more));
}

// Keeps the buffers of a connection between two calls.
static inline void copenssl_keep_buffers(SSL *ssl) { SSL_clear_mode(ssl, SSL_MODE_RELEASE_BUFFERS); }

// Frees the buffers of a connection after each call again, and immediately if they are empty. A record whose body has yet to
// arrive has its header in the buffer, which libssl before 3.0.14 did not check (CVE-2024-4741). "RH" is the state before a
// header.
static inline void copenssl_release_buffers(SSL *ssl) {
    SSL_set_mode(ssl, SSL_MODE_RELEASE_BUFFERS);
    if (!SSL_has_pending(ssl) && strcmp(SSL_rstate_string(ssl), "RH") == 0) (void)SSL_free_buffers(ssl);
}

// Clearing the queue writes to each of its 16 places, which costs ten times as much as to see that it is empty, as it nearly
// always is.
static inline void copenssl_clear_errors(void) {
    if (ERR_peek_error() != 0) ERR_clear_error();
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
