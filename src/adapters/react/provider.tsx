import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { createClient, type RecollectClient } from './client/create-client.ts'
import type { ClientOptions } from './client/send-request.ts'

const ClientContext = createContext<RecollectClient | undefined>(undefined)

export interface RecollectProviderProps extends Omit<ClientOptions, 'key'> {
  /**
   * An API key, or a function that returns one for each request. Not `key`, which React reserves. @default
   * none
   */
  readonly apiKey?: NonNullable<ClientOptions['key']>
  /** A custom client; the other properties are then ignored. */
  readonly client?: RecollectClient
  readonly children?: ReactNode
}

/** Sets the server for the hooks below it. */
export function RecollectProvider(props: RecollectProviderProps): ReactNode {
  const { client, children, apiKey, ...options } = props
  const { url, workspace, headers, fetch, retries, retryWaitMs } = options
  // biome-ignore lint/correctness/useExhaustiveDependencies: `options` is new with each rendering, its parts are not
  const made = useMemo(
    () => client ?? createClient({ ...options, ...(apiKey && { key: apiKey }) }),
    [client, url, apiKey, workspace, headers, fetch, retries, retryWaitMs],
  )
  return <ClientContext.Provider value={made}>{children}</ClientContext.Provider>
}

let ownServer: RecollectClient | undefined

/** The client of the nearest provider; without one, a client for the page's own origin. */
export function useRecollect(): RecollectClient {
  const given = useContext(ClientContext)
  ownServer ??= createClient()
  return given ?? ownServer
}
