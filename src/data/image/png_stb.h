#ifndef RIGPROOF_DATA_PNG_STB_H
#define RIGPROOF_DATA_PNG_STB_H

/* libdeflate's level for the next PNG that stb_image_write makes. Set by image.c only. */
extern int png_deflate_level;

#endif
