// libpq of Debian, whose headers lie in a folder of their own.
#ifndef CPOSTGRES_SHIM_H
#define CPOSTGRES_SHIM_H

#include <postgresql/libpq-fe.h>

// Swift does not import macros that hold a character constant.
enum {
    CPOSTGRES_SQLSTATE = PG_DIAG_SQLSTATE,
    CPOSTGRES_MESSAGE = PG_DIAG_MESSAGE_PRIMARY,
    CPOSTGRES_DETAIL = PG_DIAG_MESSAGE_DETAIL,
    CPOSTGRES_TABLE = PG_DIAG_TABLE_NAME,
    CPOSTGRES_COLUMN = PG_DIAG_COLUMN_NAME,
    CPOSTGRES_CONSTRAINT = PG_DIAG_CONSTRAINT_NAME,
    CPOSTGRES_SOURCE_FUNCTION = PG_DIAG_SOURCE_FUNCTION
};

#endif
