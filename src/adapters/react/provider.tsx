import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { createClient, type RecollectClient } from './client/create-client.ts'
import type { ClientOptions } from './client/send-request.ts'

const ClientContext = createContext<RecollectClient | undefined>(undefined)

export interface RecollectProviderProps extends Omit<ClientOptions, 'key'> {
  /** A key, or how to get one for each request. React keeps the property `key` to itself. @default none */
  readonly apiKey?: NonNullable<ClientOptions['key']>
  /** A client of your own making; the other properties are then left aside. */
  readonly client?: RecollectClient
  readonly children?: ReactNode
}

/** Says which server the hooks below it talk to. */
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

/** The client of the provider above; without one, the server that the page came from. */
export function useRecollect(): RecollectClient {
  const given = useContext(ClientContext)
  ownServer ??= createClient()
  return given ?? ownServer
}
