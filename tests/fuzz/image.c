/* Pictures; what we encode decodes to the same pixels. */
#include <stdlib.h>
#include <string.h>

#include "data/image/image.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = {0};
    struct image image, again;
    struct text png = {0};
    if (!image_decode(&image, data, size, "picture", &err))
        return 0;
    if (!image_encode_png(&image, PNG_OUTPUT, &png, &err) ||
        !image_decode(&again, png.data, png.size, "picture", &err) || again.width != image.width ||
        again.height != image.height || memcmp(again.rgba, image.rgba, (size_t)4 * image.width * image.height) != 0)
        abort();
    text_release(&png);
    image_release(&image);
    image_release(&again);
    return 0;
}
