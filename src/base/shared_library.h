#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * A library that few commands need and that is costly to load is opened by the first that does. Its user lists the
 * functions, in a table FUNCTIONS(X) as draw/gl/gl_functions.h has one, and has a struct of pointers to them and their
 * names. Which file it is the build says: rigproof_open_later() of cmake/Dependencies.cmake.
 */

/* Opens one of the files, "libzip.so.4:/opt/lib/libzip.so", the first that there is, for good, and fills `functions`,
 * as many pointers as there are names, NULL-terminated. False with err set when there is none or it lacks one of
 * them. */
bool library_open(const char *files, const char *const *names, void *functions, struct error *err);
