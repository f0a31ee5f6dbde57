#include "import/convert.h"
void add_file_warnings(struct conversion *c) { (void)c; }
