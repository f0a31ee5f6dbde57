#ifndef RIGPROOF_REPORT_PICTURES_H
#define RIGPROOF_REPORT_PICTURES_H

#include "base/text.h"
#include "data/result/result.h"

/*
 * The pictures of a page, as base64 in <script type="text/plain"> elements that nothing decodes until a case is opened.
 * Appends to `files` an element for each, called picture-0 and so on, and to `index` a JSON object:
 *     {"number": {"case/0.250.png": 0}, "missing": {"case/0.500.png": "why"}}
 * Files are read from `folder`; what is no PNG is not taken in, whatever the results call it.
 */
void pictures_embed(const struct results *results, const char *folder, struct text *index, struct text *files);

#endif
