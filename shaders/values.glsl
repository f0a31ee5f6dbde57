// A number of each vertex or triangle, computed on the CPU, for the views that show one. From the program's key:
//   SHOWN_VALUE  0 the sum of the vertex's weights, which needs no list  1 of vertices  2 of triangles
#include "influences.glsl"

#ifdef SHOWN_VALUE
uniform samplerBuffer shown_values; // of all instances, one after the other
uniform int first_value;            // of the instance
#if CROWD
uniform int crowd_values;           // how many values on those of the crowd's next instance are
#endif

int first_to_show()
{
#if CROWD
    return first_value + gl_InstanceID * crowd_values;
#else
    return first_value;
#endif
}

float value_to_show()
{
#if SHOWN_VALUE == 1
    return texelFetch(shown_values, first_to_show() + gl_VertexID).r;
#else
    float sum = 0.0;
    for (uint i = 0u; i < influence_count(); i++)
        sum += influence_weight(i);
    return sum;
#endif
}
#endif
