#pragma once

#include <stdbool.h>

/* This program as a subject (--rigproof); its exit code. */
int requests_answer(int argc, char **argv);

/* Starts itself, asks for a second and prints the rate. False when it is too low. */
bool requests_measure(const char *self);
