// Several real server processes on one database that can be killed and restarted.

import { type ServerProcess, spawnServer } from '../support/server-process.ts'

export class Fleet {
  readonly #servers: (ServerProcess | undefined)[] = []
  readonly #database: string
  readonly #env: Readonly<Record<string, string>>
  #turn = 0

  constructor(database: string, env: Readonly<Record<string, string>>) {
    this.#database = database
    this.#env = env
  }

  /** Starts all at the same time, as after a power cut. */
  async start(count: number): Promise<void> {
    this.#servers.push(...(await Promise.all(Array.from({ length: count }, () => this.#spawn()))))
  }

  /** The address of a running server, another one each time. */
  get anyUrl(): string {
    for (;;) {
      this.#turn = (this.#turn + 1) % this.#servers.length
      const server = this.#servers[this.#turn]
      if (server !== undefined) return server.url
    }
  }

  urlOf(i: number): string {
    return this.#servers[i]?.url ?? this.anyUrl
  }

  async kill(i: number): Promise<void> {
    const server = this.#servers[i]
    this.#servers[i] = undefined
    await server?.end('SIGKILL')
  }

  async revive(i: number): Promise<void> {
    this.#servers[i] = await this.#spawn()
  }

  /** The output of all servers, for error messages. */
  get printed(): string {
    return this.#servers.map((server, i) => `── server ${i}\n${server?.printed() ?? 'killed'}`).join('\n')
  }

  #spawn(): Promise<ServerProcess> {
    return spawnServer({ path: this.#database, env: this.#env })
  }
}
