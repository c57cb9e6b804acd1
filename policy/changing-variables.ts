/** Variables with which a command runs other code, or gets its packages from another place (decision 0255). */

const CHANGING = new Set(
  [
    "NODE_OPTIONS NODE_PATH PYTHONPATH PYTHONHOME PYTHONSTARTUP BASH_ENV PERL5OPT PERL5LIB RUBYOPT RUBYLIB",
    "LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH DYLD_FRAMEWORK_PATH",
    "JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS",
    "NPM_CONFIG_REGISTRY NPM_CONFIG_USERCONFIG NPM_CONFIG_GLOBALCONFIG NPM_CONFIG_NODE_OPTIONS NPM_CONFIG_SCRIPT_SHELL",
    "NPM_CONFIG_PREFIX NPM_CONFIG_PACKAGE NPM_CONFIG_CALL BUN_CONFIG_REGISTRY",
    "UV_INDEX UV_INDEX_URL UV_DEFAULT_INDEX UV_EXTRA_INDEX_URL UV_FIND_LINKS UV_CONFIG_FILE UV_OVERRIDE UV_CONSTRAINT",
    "UV_BUILD_CONSTRAINT UV_PYTHON",
    "PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_FIND_LINKS PIP_CONFIG_FILE PIP_CONSTRAINT PIPX_DEFAULT_PYTHON",
  ].flatMap((names) => names.split(" ")),
);
/** Also in a script, and after `-e` of docker and `$env:` of PowerShell. */
const ASSIGNED = /(?:^|[\s"';&|:(]|-e)([A-Za-z_]\w{1,63})\s{0,4}=/g;

/** Names of such variables, in capital letters as they mean the same. */
export function changingVariables(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => name.toUpperCase()))].filter((name) => CHANGING.has(name)).sort();
}

/** Names of variables that are set inside of a command line. */
export function assignedNames(args: readonly string[]): readonly string[] {
  return args.flatMap((arg) => [...arg.matchAll(ASSIGNED)].map(([, name = ""]) => name));
}
