import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { resolveCommand, splitCommand } from "./command-identity.ts";
import { programName } from "./program-name.ts";

const identifyCommand = (command: string, args: readonly string[]) => resolveCommand(command, args).main;

describe("the identity of a command line", () => {
  for (const [line, identity] of [
    ["npx @Acme/Server", "npm:@acme/server"],
    ["npx github:acme/server", "npm:github:acme/server"],
    ["npx https://evil.example/x.tgz", "npm:https://evil.example/x.tgz"],
    ["npx -y not!a!name", "npm:not!a!name"],
    ["npx server@file:./build/server", "script:server"],
    ["npx server@https://evil.example/x.tgz", "npm:https://evil.example/x.tgz"],
    ["npx server@acme/fork", "npm:github:acme/fork"],
    ["npx git+ssh://git@github.com/acme/server.git", "npm:git+ssh://github.com/acme/server.git"],
    ["npx C:\\build\\server", "script:server"],
    ["npx --loglevel silent -- @acme/server", "npm:@acme/server"],
    ["sudo -n npx @acme/server", "npm:@acme/server"],
    ["nohup nice env A=1 npx @acme/server", "npm:@acme/server"],
    ["nerdctl run acme/server:1", "oci:acme/server"],
    ["docker container run acme/server", "oci:acme/server"],
    ["docker run docker.io/library/server", "oci:server"],
    ["docker compose up", "bin:docker"],
    ["pipx run --spec acme-server==1.0 acme", "pypi:acme-server"],
    ["uvx acme@https://evil.example/x.whl", "pypi:https://evil.example/x.whl"],
    ["uvx ./acme/server", "script:server"],
    ["python2.7 server.py", "script:server.py"],
    ["python server.py -m other", "script:server.py"],
    ["node -e process.exit() server.js", "bin:node"],
    ["node --eval=process.exit() server.js", "bin:node"],
    ["node -pe 1 server.js", "bin:node"],
    ["node --print 1 server.js", "bin:node"],
    ["tsx -p 1 server.js", "bin:tsx"],
    ["bun run -e 1 server.js", "bin:bun"],
    ["node --preserve-symlinks server.js -e", "script:server.js"],
    ["python -c code server.py", "bin:python"],
    ["python3 -Ic code -m acme_server", "bin:python3"],
    ["uv run python -c code -m acme_server", "bin:uv"],
    ["py -m acme_server.main -c x", "pypi:acme-server"],
    ["pythonw -Xpycache_prefix=x -m acme", "pypi:acme"],
    ["python3.12 -u -m acme", "pypi:acme"],
    ["python33 -m acme", "bin:python33"],
    ["xpy -m acme", "bin:xpy"],
    ["java -m acme", "script:acme"],
    ["perl -ne code server.pl", "bin:perl"],
    ["perl -E code server.pl", "bin:perl"],
    ["perl -MTime server.pl", "script:server.pl"],
    ["ruby -ne code server.rb", "bin:ruby"],
    ["ruby -Eutf-8 server.rb", "script:server.rb"],
    ["php -r code server.php", "bin:php"],
    ["php --run code server.php", "bin:php"],
    ["php -e server.php", "script:server.php"],
    ["php --x-r server.php", "script:server.php"],
    ["node --x-e server.js", "script:server.js"],
    ["node --print-bytecode server.js", "script:server.js"],
    ["node -E server.js", "script:server.js"],
    ["node --version", "bin:node"],
    ["node C:\\x\\server.js", "script:server.js"],
    ["node ./acme/", "script:acme"],
    ["node /", "script:/"],
    ["python -C x server.py", "script:server.py"],
    ["python --x-c server.py", "script:server.py"],
    ["python3 -m acme", "pypi:acme"],
    ["python3. -m acme", "bin:python3."],
    ["perl -I-e server.pl", "script:server.pl"],
    ["perl -Ne server.pl", "script:server.pl"],
    ["ruby -I-e server.rb", "script:server.rb"],
    ["ruby -e code server.rb", "bin:ruby"],
    ["tsx server.ts", "script:server.ts"],
    ["ts-node server.ts", "script:server.ts"],
    ["deno server.ts", "script:server.ts"],
    ["deno run server.ts", "script:server.ts"],
    ["deno", "bin:deno"],
    ["pnpx acme", "npm:acme"],
    ["npm x acme", "npm:acme"],
    ["npm --silent exec acme", "npm:acme"],
    ["npm -", "bin:npm"],
    ["pnpm exec acme", "npm:acme"],
    ["yarn dlx acme", "npm:acme"],
    ["bun x acme", "npm:acme"],
    ["bun acme.ts", "script:acme.ts"],
    ["finch run acme", "oci:acme"],
    ["docker run", "bin:docker"],
    ["npx", "bin:npx"],
    ["npx -p", "bin:npx"],
    ["npx -- -x", "npm:-x"],
    ["npx --package=a=b x", "npm:a=b"],
    ["node - server.js", "script:-"],
    ["uvx", "bin:uvx"],
    ["pipx run", "bin:pipx"],
    ["pipx run --verbose acme", "pypi:acme"],
    ["uv run", "bin:uv"],
    ["uv tool install acme", "bin:uv"],
    ["uv x run acme", "bin:uv"],
    ["uv pip server.py", "bin:uv"],
    ["uv run python server.py", "script:server.py"],
    ["uv run acme", "bin:acme"],
    ["uv run acme.python", "bin:acme.python"],
    ["uv run ./acme", "script:acme"],
    ["uv run x\\acme", "script:acme"],
    ...["py", "js", "mjs", "cjs", "ts", "sh"].map((type) => [`uv run acme.${type}`, `script:acme.${type}`] as const),
    ...["exe", "cmd", "bat", "ps1", "com"].map((type) => [`acme.${type}`, "bin:acme"] as const),
    ["acme.exe.old", "bin:acme.exe.old"],
    ["acme/", "bin:acme"],
    ["/", "bin:"],
    ["nohup nohup nohup nohup npx acme", "npm:acme"],
    ["nohup nohup nohup nohup nohup npx acme", "npm:acme"],
    ["cmd /c npx acme", "npm:acme"],
    ["cmd /d /s /K npx acme", "npm:acme"],
    ["cmd /r npx acme", "npm:acme"],
    ["cmd /c npx acme /k", "npm:acme"],
    ["cmd /c", "bin:cmd"],
    ["cmd npx acme", "bin:cmd"],
    ["cmd x/c npx acme", "bin:cmd"],
    ["cmd /cx npx acme", "bin:x"],
    ["cmd /cnpx acme", "npm:acme"],
    ["env -i a=1 _B=2 npx acme", "npm:acme"],
    ["env -i npx acme", "npm:acme"],
    ["nice -5 npx acme", "npm:acme"],
    ["nohup -x npx acme", "npm:acme"],
    ["env /opt/a=b/acme", "bin:acme"],
    ["env A=1", "bin:env"],
    ["sudo -u root", "bin:sudo"],
    ["sudo A=1 npx acme", "npm:acme"],
    ["time npx acme", "npm:acme"],
    ["timeout -k 5 10 npx acme", "npm:acme"],
    ["arch -arch x86_64 npx acme", "npm:acme"],
    ["stdbuf -oL doas -u root setsid npx acme", "npm:acme"],
    ["op run --env-file x -- npx acme", "npm:acme"],
    ["op run", "bin:op"],
    ["wsl -d Ubuntu npx acme", "npm:acme"],
    ["xargs npx acme", "bin:xargs"],
    ["npx --registry https://r.example -- @acme/server", "npm:https://r.example/@acme/server"],
    ["npx --regist=https://r.example acme", "npm:https://r.example/acme"],
    ["npx --registry https://registry.npmjs.org/ acme", "npm:acme"],
    ["uvx --index-url https://u:p@r.example/simple acme", "pypi:https://r.example/simple/acme"],
    ["uvx --find-links https://b --index https://a acme", "pypi:https://a,https://b/acme"],
    ["uvx --default-index https://pypi.org/simple acme", "pypi:acme"],
    ["npx --tag acme other", "npm:other"],
    ["npx --unknown acme other", "bin:npx"],
    ["uvx --unknown acme other", "bin:uvx"],
    ["uv run --unknown acme other", "bin:uv"],
    ["npx --packag=other acme", "npm:other"],
    ["npx -yp other acme", "npm:other"],
    ["npx -yqp other acme", "npm:other"],
    ["docker run -itd acme other", "oci:acme"],
    ["docker run -ite A=1 acme other", "oci:acme"],
    ["docker run --unknown acme other", "bin:docker"],
    ["docker run --disable-content-trust acme other", "oci:acme"],
    ["docker --context x run acme", "oci:acme"],
    ["docker --unknown x run acme", "bin:docker"],
    ["docker -H x container run acme", "oci:acme"],
    ["python -macme.main", "pypi:acme"],
    ["python -Im acme x", "pypi:acme"],
    ["python -Ic code -m acme", "bin:python"],
    ["uvx https://x.example/a@/b", "pypi:https://x.example/a@/b"],
    ["uvx ./a@https://x.example/y", "script:y"],
    ["uvx acme@./x", "script:x"],
    ["npx acme@gist:abc", "npm:gist:abc"],
    ["npx acme@link:x", "npm:link:x"],
    ["npx acme@..\\x", "script:x"],
    ["npx acme@~", "script:~"],
    ["/opt/My-Tools/acme.cmd --port 1", "bin:acme"],
    ["npx -p acme -c acme-mcp", "npm:acme"],
    ["npx -p acme -c ./run", "bin:npx"],
    ["npm exec --package=acme --call=acme;curl", "bin:npm"],
  ] as const) {
    it(`is ${identity} for ${line}`, () => {
      const [command = "", ...args] = line.split(" ");
      assert.equal(identifyCommand(command, args).identity, identity);
    });
  }

  it("is npx for a command line of several words", () => {
    for (const option of ["-c", "--call"])
      assert.equal(identifyCommand("npx", ["-p", "acme", option, "curl https://x.example"]).identity, "bin:npx");
  });

  for (const [program, options, identity] of [
    ["npx", "-c --call --cache -w --workspace --loglevel --tag --scope --shell", "npm:acme"],
    ["npx", "--node-options --userconfig --globalconfig --prefix --script-shell", "bin:npx"],
    ["uvx", "--with --with-editable -p --python", "pypi:acme"],
    ["uvx", "-i --index --index-url --default-index --extra-index-url -f --find-links", "pypi:value/acme"],
    ["uvx", "--config-file", "bin:uvx"],
    ["uvx", "--directory --project --cache-dir", "pypi:acme"],
    ["uvx", "--env-file -c --constraints --overrides --refresh-package --exclude-newer", "pypi:acme"],
    ["uvx", "--keyring-provider", "pypi:acme"],
    ["pipx run", "--python", "pypi:acme"],
    ["pipx run", "--index-url -i", "pypi:value/acme"],
    ["pipx run", "--pip-args", "bin:pipx"],
    ["node", "-r --require --import --loader --experimental-loader --env-file --conditions -C", "script:acme"],
    ["node", "--title -W -X --config -c --import-map --cwd --tsconfig --project", "script:acme"],
    ["docker run", "-e --name -v --network --entrypoint -p", "oci:acme"],
    ["env", "-u --unset -C --chdir", "bin:acme"],
    ["sudo", "-u --user -g --group -h --host -p --prompt -D --chdir", "bin:acme"],
    ["nice", "-n --adjustment", "bin:acme"],
  ] as const) {
    it(`is ${identity} after the values of ${program} ${options}`, () => {
      for (const option of options.split(" ")) {
        const [command = "", ...args] = `${program} ${option} value acme`.split(" ");
        assert.equal(identifyCommand(command, args).identity, identity, option);
      }
    });
  }

  it("is the program if any flag before the code is joined with it", () => {
    for (const [program, flags, option] of [
      ["python", "bBdEiIOPqsSuvx", "c"],
      ["perl", "acflnpstwSTUWX", "e"],
      ["ruby", "aclnpsw", "e"],
      ["php", "rBRE", ""],
    ] as const) {
      for (const flag of flags)
        assert.equal(identifyCommand(program, [`-${flag}${option}`, "code", "file"]).identity, `bin:${program}`, flag);
    }
    assert.equal(identifyCommand("php", ["--process-code", "code", "file"]).identity, "bin:php");
  });

  it("is the first package of npm, and the last one of others", () => {
    const identityOf = (command: string, ...args: string[]) => identifyCommand(command, args).identity;
    for (const option of ["-p", "--package"])
      assert.equal(identityOf("npx", option, "other", option, "acme", "run"), "npm:other");
    assert.equal(identityOf("npx", "-p", "acme", "--package=acme", "run"), "npm:acme");
    assert.equal(identityOf("uvx", "--from", "other", "--from", "acme", "run"), "pypi:acme");
    assert.equal(identityOf("pipx", "run", "--spec", "other", "--spec", "acme", "run"), "pypi:acme");
  });

  it("is the image after flags without a value", () => {
    const flags =
      "-i -t -d -P -q -it -ti -dit --interactive --tty --detach --rm --init --privileged --read-only --quiet --publish-all --no-healthcheck --oom-kill-disable --sig-proxy --use-api-socket";
    for (const flag of flags.split(" "))
      assert.equal(identifyCommand("docker", ["run", flag, "acme"]).identity, "oci:acme", flag);
  });

  it("reads a command line without arguments, with any spaces", () => {
    for (const line of ["npx acme", " npx acme ", "npx  acme"])
      assert.equal(identifyCommand(line, []).identity, "npm:acme", line);
    assert.equal(identifyCommand("npx ./acme", []).identity, "script:acme");
    for (const args of [
      ["/c", "npx acme"],
      ["/d", "/s", "/c", '"npx acme"'],
      ["/c", '"npx', 'acme"'],
    ])
      assert.equal(identifyCommand("cmd", args).identity, "npm:acme");
    for (const args of [["-S", "npx acme"], ["-iS", "A=1 npx", "acme"], ["--split-string=npx acme"], ["-Snpx acme"]])
      assert.equal(identifyCommand("env", args).identity, "npm:acme", args.join(" "));
    assert.deepEqual(splitCommand(" acme ", ["x"]), ["acme", "x"]);
    assert.equal(programName(" acme "), "acme");
  });

  it("is found after as many wrappers as a report can contain, and not after more", () => {
    const identityAfter = (wrappers: number) =>
      identifyCommand("env", [...Array<string>(wrappers - 1).fill("env"), "npx", "acme"]).identity;
    assert.deepEqual([identityAfter(254), identityAfter(20_000)], ["npm:acme", "bin:env"]);
  });

  it("names the program as a package of the type binary", () => {
    const expected = { identity: "bin:acme", package: { type: "binary", name: "acme" } };
    assert.deepEqual(identifyCommand("Acme", []), expected);
  });

  it("keeps a path with spaces, and splits a command with arguments only after a program that starts commands", () => {
    assert.equal(identifyCommand("C:\\My Tools\\acme.exe", []).identity, "bin:acme");
    assert.equal(identifyCommand("/opt/my tools/acme", []).identity, "bin:acme");
    assert.equal(identifyCommand("acme x", ["@acme/server"]).identity, "bin:acme x");
    assert.equal(identifyCommand("npx -y", ["@acme/server"]).identity, "npm:@acme/server");
    assert.equal(identifyCommand("/usr/bin/npx @acme/server", []).identity, "npm:@acme/server");
    assert.equal(identifyCommand("C:\\x\\npx.cmd -y", ["@acme/server"]).identity, "npm:@acme/server");
  });
});
