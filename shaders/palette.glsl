// Where a binding's matrix comes from. From the program's key, as in data/scene/upload_format.h:
//   PALETTE_PATH    0 buffer texture  1 array of uniforms  2 uniform block  3 shader storage block
//   PALETTE_FORMAT  0 mat3x4: three rows  1 mat4: four columns  2 trs: quaternion, translation and uniform scale
//   PALETTE_ROWS    how many vec4s the array or the uniform block has
//   CROWD           1: every gl_InstanceID is an instance of a crowd, with a pose and a place of its own
// What is fetched differs; what is computed from it is the same code for all, so that their pixels are equal.

uniform int first_binding; // of the instance
#if CROWD
uniform int crowd_bindings; // how many bindings on those of the crowd's next instance are
uniform int crowd_places;   // the row of the first one's place
#endif

#if PALETTE_PATH == 0
uniform samplerBuffer palette;
#elif PALETTE_PATH == 1
uniform vec4 palette_rows[PALETTE_ROWS];
#elif PALETTE_PATH == 2
layout(std140) uniform PaletteBlock {
    vec4 palette_rows[PALETTE_ROWS];
};
#else
layout(std430) readonly buffer PaletteBlock {
    vec4 palette_rows[];
};
#endif

vec4 palette_row(int i)
{
#if PALETTE_PATH == 0
    return texelFetch(palette, i);
#else
    return palette_rows[i];
#endif
}

// Arrays and uniform blocks hold one instance's bindings, the others those of all.
int palette_entry(uint bone)
{
    int entry = int(bone);
#if CROWD
    entry += gl_InstanceID * crowd_bindings;
#endif
#if PALETTE_PATH == 1 || PALETTE_PATH == 2
    return entry;
#else
    return first_binding + entry;
#endif
}

#if CROWD
// Where an instance stands: added to what its matrices make.
vec3 crowd_place()
{
    return palette_row(crowd_places + gl_InstanceID).xyz;
}
#endif

#if PALETTE_FORMAT == 2
// Rotation, translation and scale: p' = scale R p + translation.
struct Similarity {
    vec4 rotation; // unit quaternion x y z w
    vec3 translation;
    float scale;
};

Similarity binding_similarity(uint bone)
{
    int row = 2 * palette_entry(bone);
    vec4 place = palette_row(row + 1);
    return Similarity(palette_row(row), place.xyz, place.w);
}

mat3x4 rows_of(Similarity s)
{
    vec3 twice = 2.0 * s.rotation.xyz, q = s.rotation.xyz, w = s.rotation.w * twice;
    vec3 square = q * twice, mixed = q.xyx * twice.yzz; // xy, yz, xz
    return mat3x4(vec4(s.scale * vec3(1.0 - (square.y + square.z), mixed.x - w.z, mixed.z + w.y), s.translation.x),
                  vec4(s.scale * vec3(mixed.x + w.z, 1.0 - (square.x + square.z), mixed.y - w.x), s.translation.y),
                  vec4(s.scale * vec3(mixed.z - w.y, mixed.y + w.x, 1.0 - (square.x + square.y)), s.translation.z));
}
#endif

// The columns of this matrix are the rows of the binding's: vec4(p, 1) * rows is the point.
mat3x4 binding_rows(uint bone)
{
#if PALETTE_FORMAT == 0
    int row = 3 * palette_entry(bone);
    return mat3x4(palette_row(row), palette_row(row + 1), palette_row(row + 2));
#elif PALETTE_FORMAT == 1
    int row = 4 * palette_entry(bone);
    return mat3x4(transpose(
        mat4(palette_row(row), palette_row(row + 1), palette_row(row + 2), palette_row(row + 3))));
#else
    return rows_of(binding_similarity(bone));
#endif
}
