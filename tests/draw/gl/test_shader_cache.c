/* Where Mesa keeps compiled shaders: whether there are any yet, and that what is written is awaited. */

#include <pthread.h>
#include <time.h>

#include "base/process/process.h"
#include "draw/draw.h"
#include "run_binary.h"

static const char *const variables[] = {"MESA_SHADER_CACHE_DISABLE", "MESA_SHADER_CACHE_DIR", "MESA_GLSL_CACHE_DIR", "XDG_CACHE_HOME",
                                        "HOME"};

static void is_empty(bool expected, const char *const values[5])
{
    for (int i = 0; i < 5; i++)
        if (values[i])
            setenv(variables[i], values[i], 1);
        else
            unsetenv(variables[i]);
    assert_int_equal(shader_cache_is_empty(), expected);
}

SCRATCH_TEST(the_folder_that_mesa_takes_is_asked)
{
    shell("mkdir -p a/mesa_shader_cache b h/.cache/mesa_shader_cache_db");
    is_empty(false, (const char *const[5]){NULL, "a", "b", "b", "b"});
    is_empty(true, (const char *const[5]){NULL, "b", "a", "a", "h"});
    is_empty(false, (const char *const[5]){NULL, NULL, "a", "b", "b"});
    is_empty(true, (const char *const[5]){"false", NULL, NULL, "b", "h"});
    is_empty(false, (const char *const[5]){"0", "", NULL, NULL, "h"});
    is_empty(true, (const char *const[5]){NULL, NULL, NULL, NULL, "not/there"});
    is_empty(false, (const char *const[5]){"true", "b", NULL, NULL, NULL}); /* it will stay empty */
    is_empty(false, (const char *const[5]){NULL, NULL, NULL, NULL, NULL});
}

static volatile bool began, ended;

static double own_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The system counts by ticks; after some it is taken for one that writes. */
static void *work(void *context)
{
    for (double now = 0; now < 0.03; now = own_seconds())
        began = began || now > 0.01;
    ended = true;
    return NULL;
}

/* A thread that is called as Mesa's. Where all cores are busy it may take longer than anybody waits. */
SCRATCH_TEST(writing_is_awaited)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, work, NULL), 0);
    pthread_setname_np(thread, "test:disk$0");
    while (!began)
        usleep(100);
    double start = clock_seconds();
    shader_cache_await();
    assert_true(ended || clock_seconds() > start + 0.1);
    pthread_join(thread, NULL);
}
