#pragma once

/* Calls of malloc, calloc and realloc by the program's own objects so far: the linker sends them here (--wrap). */
unsigned long allocation_count(void);
