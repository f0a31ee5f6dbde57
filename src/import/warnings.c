#include "import/convert.h"
void add_warnings(struct conversion *c) { add_file_warnings(c); }
