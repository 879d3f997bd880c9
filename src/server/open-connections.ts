import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Tracks which connections are waiting for a response and which are idle. Node counts new connections without
 * a request as active and would wait for them.
 */
export class OpenConnections {
  readonly #requests = new Map<Socket, number>()
  #isClosing = false

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#requests.set(socket, 0)
      socket.once('close', () => this.#requests.delete(socket))
    })
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#count(socket, 1)
      response.once('close', () => this.#count(socket, -1))
    })
  }

  /** Closes idle connections now and the others after their response. */
  close(): void {
    this.#isClosing = true
    for (const [socket, requests] of this.#requests) if (requests === 0) socket.destroy()
  }

  #count(socket: Socket, change: number): void {
    const requests = (this.#requests.get(socket) ?? 0) + change
    if (this.#requests.has(socket)) this.#requests.set(socket, requests)
    if (this.#isClosing && requests === 0) socket.destroySoon()
  }
}
