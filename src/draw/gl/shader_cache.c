/* Mesa's cache of compiled shaders, as seen from outside: its folder, and the threads that write it. */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "draw/draw.h"

bool shader_cache_folder(struct text *out)
{
    static const char *const places[][2] = {
        {"MESA_SHADER_CACHE_DIR", ""}, {"MESA_GLSL_CACHE_DIR", ""}, {"XDG_CACHE_HOME", ""}, {"HOME", "/.cache"}};
    const char *disabled = getenv("MESA_SHADER_CACHE_DISABLE"), *folder = NULL;
    if (disabled && strchr("1tTyY", *disabled))
        return false;
    for (size_t i = 0; !folder && i < sizeof places / sizeof places[0]; i++) {
        folder = getenv(places[i][0]);
        folder = folder && *folder ? folder : NULL;
        if (folder)
            text_addf(out, "%s%s", folder, places[i][1]);
    }
    return folder != NULL;
}

/* Mesa's names for it depend on its version. */
bool shader_cache_is_empty(void)
{
    static const char *const names[] = {"mesa_shader_cache", "mesa_shader_cache_db", "mesa_shader_cache_sf"};
    SCOPED(text) path = {0};
    bool is_empty = shader_cache_folder(&path);
    const size_t length = path.size;
    for (size_t i = 0; is_empty && i < sizeof names / sizeof names[0]; i++) {
        path.size = length;
        text_addf(&path, "/%s", names[i]);
        is_empty = access(path.data, F_OK) != 0;
    }
    return is_empty;
}

/* The first line of a thread's file in /proc; "" where there is none. */
static const char *ask_thread(const char *thread, const char *what, char line[static 128])
{
    char path[300];
    snprintf(path, sizeof path, "/proc/self/task/%s/%s", thread, what);
    FILE *file = fopen(path, "r");
    const char *got = file ? fgets(line, 128, file) : NULL;
    if (file)
        fclose(file);
    return got ? got : "";
}

/*
 * Threads that write the cache are called "rigproof:disk$0", cut to 15 characters. One that sleeps has nothing to do.
 * One that has run for less than it takes to write a file has only begun; on a busy machine it may take long until it
 * sleeps.
 */
static bool writes_cache(const char *thread)
{
    enum { LEAST_NANOSECONDS = 150000 }; /* 50000 to begin, 300000 a file */
    char line[128];
    const char *name = ask_thread(thread, "stat", line), *state = strrchr(name, ')');
    return strstr(name, "disk$") && state && strlen(state) > 2 && state[2] != 'S' &&
           strtod(ask_thread(thread, "schedstat", line), NULL) > LEAST_NANOSECONDS;
}

void shader_cache_await(void)
{
    bool writes = true;
    for (int tries = 0; tries < 100 && writes; tries++) {
        DIR *threads = opendir("/proc/self/task");
        writes = false;
        for (struct dirent *entry; threads && !writes && (entry = readdir(threads));)
            writes = writes_cache(entry->d_name);
        if (threads)
            closedir(threads);
        if (writes)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}
