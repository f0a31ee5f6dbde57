#include "replayed.h"
int main(void)
{
    return 0;
}
