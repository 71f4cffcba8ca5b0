# extremal_report_page(<target> <source>): the page of report/ is bundled by npm and becomes part of a source of the target.
# Without npm the program is whole but for `extremal report`, which says so.
option(EXTREMAL_REPORT "Build the page of reports, if npm is found" ON)

function(extremal_report_page target source)
  find_program(EXTREMAL_NPM npm)
  find_program(EXTREMAL_NODE node)
  if(NOT EXTREMAL_REPORT OR NOT EXTREMAL_NPM OR NOT EXTREMAL_NODE)
    message(STATUS "extremal report: left out, as npm and node are not found or EXTREMAL_REPORT is off")
    return()
  endif()
  set(folder "${PROJECT_SOURCE_DIR}/report")
  set(page "${PROJECT_BINARY_DIR}/report/report.html")
  set(packages "${PROJECT_BINARY_DIR}/report/packages")
  file(GLOB page_sources CONFIGURE_DEPENDS "${folder}/src/*")
  # Packages change with their list only: installing them needs the network, bundling does not.
  add_custom_command(OUTPUT "${packages}"
    COMMAND "${EXTREMAL_NPM}" ci --ignore-scripts --no-audit --no-fund --loglevel=error
    COMMAND "${CMAKE_COMMAND}" -E touch "${packages}"
    WORKING_DIRECTORY "${folder}" DEPENDS "${folder}/package.json" "${folder}/package-lock.json"
    COMMENT "Installing the packages of the report page" VERBATIM)
  add_custom_command(OUTPUT "${page}"
    COMMAND "${EXTREMAL_NODE}" build.mjs "${page}"
    WORKING_DIRECTORY "${folder}" DEPENDS "${packages}" "${folder}/build.mjs" ${page_sources}
    COMMENT "Bundling the report page" VERBATIM)
  target_sources(${target} PRIVATE "${page}")
  set_source_files_properties("${source}" PROPERTIES
    COMPILE_DEFINITIONS "EXTREMAL_REPORT_TEMPLATE=\"${page}\"" OBJECT_DEPENDS "${page}")
endfunction()
