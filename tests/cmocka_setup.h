#pragma once

/* cmocka wants these before it, in this order (1.1 and 2.0). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef NDEBUG
#error "tests are not built with NDEBUG: asserts in the code under test are part of the test"
#endif

/* What cmocka and others call has parameters that most of these functions do not look at. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
