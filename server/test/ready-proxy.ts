import { Agent, request as httpRequest } from "node:http";

export interface ProxiedAnswer {
  readonly status: number;
  readonly text: string;
}

/** A load balancer without delays: each request goes to the next replica that reports ready. */
export class ReadyProxy {
  readonly #replicas: () => readonly string[];
  readonly #agent = new Agent({ keepAlive: true });
  readonly #underWay = new Map<string, Set<Promise<unknown>>>();
  readonly #served = new Map<string, number>();
  #turn = 0;

  constructor(replicas: () => readonly string[]) {
    this.#replicas = replicas;
  }

  async post(credential: string, body: string): Promise<ProxiedAnswer> {
    for (;;) {
      const replicas = this.#replicas();
      const url = replicas[this.#turn++ % replicas.length] ?? "";
      const answer = await this.#track(url, this.#postIfReady(url, credential, body));
      if (answer) return answer;
    }
  }

  /** Number of requests that this replica answered. */
  served(url: string): number {
    return this.#served.get(url) ?? 0;
  }

  /** Resolves when everything sent to this replica so far is answered. */
  async settled(url: string): Promise<void> {
    await Promise.allSettled(this.#underWay.get(url) ?? []);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #postIfReady(url: string, credential: string, body: string): Promise<ProxiedAnswer | undefined> {
    const readiness = await this.#send(`${url}/readyz`, "GET", {}).catch(() => undefined);
    if (readiness?.status !== 200) return undefined;
    const headers = {
      authorization: `Bearer ${credential}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const answer = await this.#send(`${url}/mcp`, "POST", headers, body);
    this.#served.set(url, this.served(url) + 1);
    return answer;
  }

  async #track<Result>(url: string, exchange: Promise<Result>): Promise<Result> {
    const underWay = this.#underWay.get(url) ?? new Set();
    this.#underWay.set(url, underWay.add(exchange));
    try {
      return await exchange;
    } finally {
      underWay.delete(exchange);
    }
  }

  #send(url: string, method: string, headers: Record<string, string>, body?: string): Promise<ProxiedAnswer> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(url, { method, headers, agent: this.#agent }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("error", reject);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      });
      request.on("error", reject);
      request.end(body);
    });
  }
}
