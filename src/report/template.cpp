#include "report/page_template.hpp"

#ifdef EXTREMAL_REPORT_TEMPLATE
// The assembler takes the file as it is; a string literal of this length is slow to compile.
__asm__(
    ".pushsection .rodata\n"
    ".global extremal_report_template\n"
    ".global extremal_report_template_end\n"
    "extremal_report_template:\n"
    ".incbin \"" EXTREMAL_REPORT_TEMPLATE
    "\"\n"
    "extremal_report_template_end:\n"
    ".byte 0\n"
    ".popsection\n");
extern "C" const char extremal_report_template[], extremal_report_template_end[];
#endif

namespace extremal::report {

std::string_view page_template() {
#ifdef EXTREMAL_REPORT_TEMPLATE
  return {extremal_report_template, extremal_report_template_end};
#else
  return {};
#endif
}

}  // namespace extremal::report
