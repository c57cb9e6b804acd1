import { setTimeout as sleep } from "node:timers/promises";
import { type ProcessSettings, type ServiceProcess, type StartingProcess, spawnService } from "./service-process.ts";

/** One service over many lives: each begins on what the one before left behind. */
export class MortalService {
  readonly #settings: ProcessSettings;
  #latest: StartingProcess | undefined;
  #life: Promise<ServiceProcess>;
  #serving: ServiceProcess | undefined;
  #destroyed = false;
  readonly startsMs: number[] = [];
  kills = 0;
  /** What its lives printed beside their greetings. */
  complaints = "";

  constructor(settings: ProcessSettings) {
    this.#settings = settings;
    this.#life = this.#start();
  }

  /** The life that serves now, or the next one. */
  current(): Promise<ServiceProcess> {
    return this.#life;
  }

  /** Whether this life is meant to serve: then nothing that it is asked may fail. */
  isServing(life: ServiceProcess): boolean {
    return this.#serving === life;
  }

  /** `kill -9`; then again after so many milliseconds of each further start; then it may serve again. */
  async die(startingMs: readonly number[] = []): Promise<void> {
    const dying = await this.#life;
    const next = Promise.withResolvers<ServiceProcess>();
    this.#life = next.promise;
    this.#serving = undefined;
    await dying.kill();
    this.complaints += dying.complaints();
    for (const ms of startingMs) {
      const starting = this.#spawn();
      await sleep(ms);
      await starting.kill();
    }
    this.kills += 1 + startingMs.length;
    this.#start().then(next.resolve, next.reject);
    await next.promise;
  }

  /** As an operator stops it. */
  async close(): Promise<void> {
    const last = await this.#life;
    await last.close();
    this.complaints += last.complaints();
  }

  /** For the end of a test, however it went: nothing is left running. */
  async destroy(): Promise<void> {
    this.#destroyed = true;
    this.#serving = undefined;
    await this.#latest?.kill();
  }

  async #start(): Promise<ServiceProcess> {
    const life = await this.#spawn().ready;
    this.startsMs.push(Math.round(life.startMs));
    this.#serving = life;
    return life;
  }

  #spawn(): StartingProcess {
    if (this.#destroyed) throw new Error("the test is over");
    this.#latest = spawnService(this.#settings);
    return this.#latest;
  }
}
