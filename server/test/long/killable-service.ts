import { setTimeout as sleep } from "node:timers/promises";
import { type ProcessSettings, type ServiceProcess, type StartingProcess, spawnService } from "./service-process.ts";

/** A service that is killed and restarted many times on the same data. */
export class KillableService {
  readonly #settings: ProcessSettings;
  #latest: StartingProcess | undefined;
  #life: Promise<ServiceProcess>;
  #serving: ServiceProcess | undefined;
  #destroyed = false;
  /** Whether a failed start is repeated. */
  readonly #restarts: boolean;
  readonly startsMs: number[] = [];
  kills = 0;
  /** Output of its processes other than the startup message. */
  unexpectedOutput = "";

  /** How often a start failed and was repeated, as a supervisor does. */
  failedStarts = 0;

  constructor(settings: ProcessSettings, { restarts = false } = {}) {
    this.#settings = settings;
    this.#restarts = restarts;
    this.#life = this.#start();
  }

  /** The process that serves now, or the next one. */
  current(): Promise<ServiceProcess> {
    return this.#life;
  }

  /** Whether this process should be serving: then no request may fail. */
  isServing(life: ServiceProcess): boolean {
    return this.#serving === life;
  }

  /** Kills with `kill -9`, again after each of these times during further starts, and then starts normally. */
  async die(startingMs: readonly number[] = []): Promise<void> {
    const dying = await this.#life;
    const next = Promise.withResolvers<ServiceProcess>();
    this.#life = next.promise;
    this.#serving = undefined;
    await dying.kill();
    this.unexpectedOutput += dying.unexpectedOutput();
    for (const ms of startingMs) {
      const starting = this.#spawn();
      await sleep(ms);
      await starting.kill();
    }
    this.kills += 1 + startingMs.length;
    this.#start().then(next.resolve, next.reject);
    await next.promise;
  }

  /** Stops it like an operator. */
  async close(): Promise<void> {
    const last = await this.#life;
    await last.close();
    this.unexpectedOutput += last.unexpectedOutput();
  }

  /** For the end of a test, also after a failure: leaves nothing running. */
  async destroy(): Promise<void> {
    this.#destroyed = true;
    this.#serving = undefined;
    await this.#latest?.kill();
  }

  async #start(): Promise<ServiceProcess> {
    const life = await this.#untilStarted();
    this.startsMs.push(Math.round(life.startMs));
    this.#serving = life;
    return life;
  }

  async #untilStarted(): Promise<ServiceProcess> {
    for (;;) {
      try {
        return await this.#spawn().ready;
      } catch (error) {
        if (!this.#restarts || this.#destroyed) throw error;
        this.failedStarts++;
        await sleep(500);
      }
    }
  }

  #spawn(): StartingProcess {
    if (this.#destroyed) throw new Error("the test is over");
    this.#latest = spawnService(this.#settings);
    return this.#latest;
  }
}
