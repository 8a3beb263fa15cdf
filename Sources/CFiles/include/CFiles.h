// The files that the build embeds into the program. Each is text that ends with a zero byte.
#ifndef CFILES_H
#define CFILES_H

struct cfiles_file {
    const char *name;
    const char *text;
};

struct cfiles_folder {
    const struct cfiles_file *files;
    int count;
};

/// The folders of sql/. Each lists its files in the order that SQLFiles documents.
extern const struct cfiles_folder cfiles_migrations;
extern const struct cfiles_folder cfiles_queries;
extern const struct cfiles_folder cfiles_sample;
extern const struct cfiles_folder cfiles_sample_feeds;

/// config/api/openapi.json
extern const char *const cfiles_openapi;
/// docs/api.html
extern const char *const cfiles_api_page;
/// docs/api.css
extern const char *const cfiles_api_style;
/// config/locales/parents.json
extern const char *const cfiles_locale_parents;
/// config/screens/matrix.json
extern const char *const cfiles_screen_matrix;

#endif
