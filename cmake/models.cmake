# The files of models/ as texts in the library, in the order in which `extremal list models` shows them; a file that is
# changed is embedded again. Sets EXTREMAL_MODEL_TEXTS to the source that holds them.
set(EXTREMAL_MODELS
  pendulum spherical-pendulum double-pendulum-3d
  spring-pendulum triple-pendulum six-balls
  hoop oscillator two-particles rigid-rod
  pendulum-polar pendulum-polar-forced pendulum-polar-damped pendulum-polar-moving-pivot pendulum-polar-varying-length
  pendulum-cartesian pendulum-cartesian-forced pendulum-cartesian-damped pendulum-cartesian-moving-pivot
  pendulum-cartesian-varying-length nonseparable sphere-hamiltonian
  thermoelastic-triangle thermoelastic-eight
  top top-lie double-four-bar double-four-bar-damped bennett four-bar-chain four-bar-spatial four-bar-tilted
  chain chain-spatial
  free-body elastic-ring elastic-ring-folding cantilever roll-up bend-45
  fermi-pasta-ulam stiff-triple-pendulum)

file(GLOB model_files CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}/models" models/*.toml)
list(TRANSFORM model_files REPLACE "\\.toml$" "")
foreach(model IN LISTS model_files)
  if(NOT model IN_LIST EXTREMAL_MODELS)
    message(FATAL_ERROR "models/${model}.toml is not in the list of cmake/models.cmake")
  endif()
endforeach()

list(TRANSFORM EXTREMAL_MODELS PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/models/" OUTPUT_VARIABLE model_files)
list(TRANSFORM model_files APPEND ".toml")
set(EXTREMAL_MODEL_TEXTS "${CMAKE_CURRENT_BINARY_DIR}/model_texts.cpp")
add_custom_command(OUTPUT "${EXTREMAL_MODEL_TEXTS}"
  COMMAND "${CMAKE_COMMAND}" -D "files=${model_files}" -D "out=${EXTREMAL_MODEL_TEXTS}"
    -P "${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed_models.cmake"
  DEPENDS ${model_files} cmake/embed_models.cmake
  VERBATIM)
