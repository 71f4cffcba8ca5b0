# Plain comments as doxygen reads them: at the head of a file, before a declaration, behind a member. Lines that are
# indented in a comment are code.
/^ *\/\//!s|\([;,{}]  *\)// |\1///< |
s|^\( *\)//$|\1///|
s|^\( *\)//   |\1///        |
s|^\( *\)// |\1/// |
1s|^/// |/// @file\n/// |
/^ *\/\/\/ [^ ]/s|<\([a-z_./]*\)>|\&lt;\1\&gt;|g
