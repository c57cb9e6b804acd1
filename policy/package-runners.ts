/** Programs that download and run a package or an image: npx, uvx, pipx and docker, and those with the same options. */
import { type CommandIdentity, npmPackage, ociPackage, pypiPackage, type ReadCommand } from "./package-spec.ts";
import { type Options, type Positional, positional } from "./positional.ts";
import { programName } from "./program-name.ts";
import { normalizeUrl } from "./urls.ts";

const words = (text: string): readonly string[] => text.split(/\s+/);

export const NPX: Options = {
  flags: words(
    "-y --yes -n --no --no-install -q --quiet -s --silent -d -dd -ddd --verbose -g --global --offline --prefer-offline --prefer-online --ignore-existing --ignore-scripts --no-audit --no-fund --no-update-notifier --no-color --color --bun -v --version --foreground-scripts --legacy-peer-deps --strict-peer-deps --shell-auto-fallback --allow-build --silent-install",
  ),
  values: words(
    "-p --package -c --call --registry --userconfig --globalconfig --cache --prefix -C --dir -w --workspace --loglevel --reporter --node-options --shell --script-shell --tag --scope --otp --omit --include --before --proxy --https-proxy --noproxy --cafile --ca --user-agent --logs-dir --fetch-timeout --fetch-retries --store-dir --filter",
  ),
};
const UVX: Options = {
  flags: words(
    "-q --quiet -v --verbose -n --no-cache --isolated --offline --native-tls --system-certs --no-progress --no-config --refresh -U --upgrade --reinstall --prerelease-allow --no-index --no-build --no-binary --no-build-isolation --no-sources --compile-bytecode --no-python-downloads --managed-python --no-managed-python --no-env-file --frozen --locked --active --no-project --no-sync --no-dev --all-extras --exact --script -s -m --module --gui-script --dev --no-default-groups -V --version -h --help --preview --no-preview",
  ),
  values: words(
    "--from -w --with --with-editable --with-requirements -p --python -i --index --index-url --default-index --extra-index-url -f --find-links --directory --project --config-file --cache-dir --env-file -c --constraints -b --build-constraints --overrides -P --upgrade-package --refresh-package --reinstall-package --exclude-newer --keyring-provider --color --allow-insecure-host --index-strategy --resolution --prerelease --link-mode --config-setting --no-build-package --no-binary-package --python-platform --torch-backend --extra --group --only-group --no-group --package --python-preference --fork-strategy",
  ),
};
export const PIPX: Options = {
  flags: words(
    "-q --quiet -v --verbose --no-cache --pypackages --system-site-packages --path --fetch-missing-python --global",
  ),
  values: words("--spec --python --index-url -i --pip-args --backend"),
};
const DOCKER: Options = {
  flags: words("-D --debug --tls --tlsverify --remote -r --syslog"),
  values: words(
    "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey -n --namespace --address -a --connection --url --identity --root --runroot --storage-driver --log-format",
  ),
};
const DOCKER_RUN: Options = {
  flags: words(
    "-i -t -d -P -q --interactive --tty --detach --rm --init --privileged --read-only --quiet --publish-all --no-healthcheck --oom-kill-disable --sig-proxy --use-api-socket --disable-content-trust --replace --rmi --tls-verify --no-hosts --no-hostname --env-host --http-proxy --read-only-tmpfs --unsetenv-all --passwd",
  ),
  values: words(
    "-a --attach -c --cpu-shares -e --env --env-file -h --hostname -l --label --label-file -m --memory -p --publish -u --user -v --volume -w --workdir --add-host --annotation --authfile --blkio-weight --blkio-weight-device --cap-add --cap-drop --cgroup-parent --cgroupns --cgroups --cidfile --conmon-pidfile --cpu-count --cpu-percent --cpu-period --cpu-quota --cpu-rt-period --cpu-rt-runtime --cpus --cpuset-cpus --cpuset-mems --creds --detach-keys --device --device-cgroup-rule --device-read-bps --device-read-iops --device-write-bps --device-write-iops --dns --dns-opt --dns-option --dns-search --domainname --entrypoint --expose --gidmap --gpus --group-add --group-entry --health-cmd --health-interval --health-retries --health-start-interval --health-start-period --health-timeout --hostuser --image-volume --init-path --ip --ip6 --ipc --isolation --kernel-memory --link --link-local-ip --log-driver --log-opt --mac-address --memory-reservation --memory-swap --memory-swappiness --mount --name --net --net-alias --network --network-alias --oom-score-adj --os --arch --passwd-entry --personality --pid --pidfile --pids-limit --platform --pod --preserve-fds --pull --requires --restart --retry --retry-delay --rootfs --runtime --sdnotify --seccomp-policy --secret --security-opt --shm-size --stop-signal --stop-timeout --storage-opt --subgidname --subuidname --sysctl --systemd --timeout --tmpfs --tz --uidmap --ulimit --umask --unsetenv --userns --uts --variant --volume-driver --volumes-from",
  ),
};

/** Options that let npx run something else than the package. */
const NPX_CODE = new Set([
  "--node-options",
  "--userconfig",
  "--globalconfig",
  "--prefix",
  "-C",
  "--dir",
  "--script-shell",
]);
/** Options that let uvx and pipx download something else. */
const PYPI_SETTINGS = new Set(["--config-file", "--pip-args"]);
const INDEXES = ["-i", "--index", "--index-url", "--default-index", "--extra-index-url", "-f", "--find-links"];
const PACKAGE_FILES = words("--with-editable --with-requirements --overrides -c --constraints -b --build-constraints");
/** Not the commas in `a>=1,<2`. */
const BETWEEN_SPECS = /,(?=\s*[A-Za-z0-9./~])/;
const EXTRAS = /\[[^[\]]*\]/g;
const MOST_SPECS = 64;
const PUBLIC_NPM = "https://registry.npmjs.org";
const PUBLIC_PYPI = "https://pypi.org/simple";
/** npm accepts options that are cut, such as `--packag`. */
const CUT_OPTIONS = ["--package", "--call", "--registry"];

export function fromNpx(args: readonly string[]): ReadCommand {
  const read = positional(args.map(completeOption), NPX);
  const { first, at, given, options, isAmbiguous } = read;
  const named = valuesOf(read, ["--package", "-p"]);
  // An unknown option has a value or none, so either of two arguments is the package.
  const specs = named.length > 0 ? named : [first ?? "", ...(isAmbiguous ? args.slice(at + 1, at + 2) : [])];
  const registries = valuesOf(read, ["--registry"]);
  const packages = [...new Set(specs)].flatMap((spec) => fromSources(npmPackage(spec), registries, PUBLIC_NPM) ?? []);
  // One word is a program of the package. Other command lines run anything (decision 0206).
  const called = given.get("--call") ?? given.get("-c") ?? "";
  const isKnown = !isAmbiguous && !options.some(([name]) => NPX_CODE.has(name)) && /^[\w.-]*$/.test(called);
  if (!isKnown) return { also: packages };
  const [main, ...also] = packages;
  const program = named.length > 0 && at !== -1 ? args.slice(at) : [];
  return { main, also, starts: called === "" ? program : [called] };
}

export function fromUvx(args: readonly string[]): ReadCommand {
  return pypiProgram(args, UVX, "--from");
}

export function fromPipx(args: readonly string[]): ReadCommand {
  return pypiProgram(args, PIPX, "--spec");
}

export function readUv(args: readonly string[]): Positional {
  return positional(args, UVX);
}

export function fromDocker(args: readonly string[]): ReadCommand | undefined {
  const outer = positional(args, DOCKER);
  const [command, ...rest] = args.slice(outer.first === "container" ? outer.at + 1 : Math.max(0, outer.at));
  if (command !== "run" && command !== "create") return undefined;
  const { first, at, given, isAmbiguous } = positional(rest, DOCKER_RUN);
  const images = first === undefined ? [] : [first, ...(isAmbiguous ? rest.slice(at + 1, at + 2) : [])].map(ociPackage);
  const entrypoint = given.get("--entrypoint");
  const also = entrypoint === undefined ? [] : [{ identity: `bin:${programName(entrypoint)}` }];
  if (command !== "run" || outer.isAmbiguous || isAmbiguous) return { also: [...images, ...also] };
  return { main: images[0], also };
}

function pypiProgram(args: readonly string[], options: Options, option: string): ReadCommand {
  const read = positional(args, options);
  const spec = read.given.get(option);
  const specs = [spec ?? read.first ?? "", ...(read.isAmbiguous ? args.slice(read.at + 1, read.at + 2) : [])];
  const sources = valuesOf(read, INDEXES);
  const packages = specs.flatMap((each) => fromSources(pypiPackage(each), sources, PUBLIC_PYPI) ?? []);
  const [main, ...others] = packages;
  const also = [...others, ...installedWith(read)];
  if (read.isAmbiguous || read.options.some(([name]) => PYPI_SETTINGS.has(name)))
    return { also: [...packages, ...also] };
  return { main, also, starts: spec === undefined || read.at === -1 ? [] : args.slice(read.at) };
}

/** Packages that uv installs next to the first, and files on the device that say which ones. */
export function installedWith(read: Positional): readonly CommandIdentity[] {
  const sources = valuesOf(read, INDEXES);
  const values = valuesOf(read, ["--with", "-w"]);
  const specs = [...new Set(values.flatMap((value) => value.replace(EXTRAS, "").split(BETWEEN_SPECS)))];
  const packages = specs
    .slice(0, MOST_SPECS)
    .flatMap((spec) => fromSources(pypiPackage(spec.trim()), sources, PUBLIC_PYPI) ?? []);
  const files = [...valuesOf(read, PACKAGE_FILES), ...valuesOf(read, ["-p", "--python"]).filter(isPath)];
  const rest = specs.length > MOST_SPECS ? [{ identity: "code:too many packages" }] : [];
  return [...packages, ...rest, ...files.map((file) => ({ identity: `script:${programName(file)}` }))];
}

function isPath(text: string): boolean {
  return /[/\\]/.test(text);
}

/** A package of another registry is another package, whatever its name. */
function fromSources(
  found: CommandIdentity | undefined,
  sources: readonly string[],
  publicSource: string,
): CommandIdentity | undefined {
  const others = [...new Set(sources.map(normalizeUrl))].filter((source) => source !== publicSource).sort();
  if (found?.package === undefined || others.length === 0) return found;
  const name = `${others.join(",")}/${found.package.name}`;
  return { identity: `${found.package.type}:${name}`, package: { ...found.package, name } };
}

function valuesOf({ options }: Positional, names: readonly string[]): string[] {
  return options.flatMap(([name, value]) => (names.includes(name) ? [value] : []));
}

function completeOption(arg: string): string {
  const [name = "", ...rest] = arg.split("=");
  const full = name.length < 5 ? undefined : CUT_OPTIONS.find((option) => option.startsWith(name));
  return full === undefined ? arg : [full, ...rest].join("=");
}
