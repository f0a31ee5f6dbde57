// Where a binding's matrix comes from.

uniform samplerBuffer palette; // 3 texels a binding: the rows of its 3x4 matrix
uniform int first_binding;     // of the instance

// The columns of this matrix are the rows of the binding's: vec4(p, 1) * rows is the point.
mat3x4 binding_rows(uint bone)
{
    int texel = 3 * (first_binding + int(bone));
    return mat3x4(texelFetch(palette, texel), texelFetch(palette, texel + 1), texelFetch(palette, texel + 2));
}
