import { useMemo } from 'react'
import type { ActiveFile, JsonValue } from '../../index.ts'
import { LivePage, type PageView } from './live/live-page.ts'
import { useLive } from './use-live.ts'

export interface UsedPageContext
  extends PageView,
    Pick<LivePage, 'update' | 'flush' | 'refresh' | 'dismissError'> {
  setActiveFile(file: ActiveFile | null): void
  setCurrentTopic(topic: string | null): void
  /** null removes it. */
  setEntity(name: string, value: JsonValue): void
  /** null removes it. */
  setPreference(name: string, value: JsonValue): void
}

/**
 * The context of a page: active file, current topic, entities, preferences. Loaded first, changed at once,
 * saved a moment later and when the page is closed; unsaved changes survive a reload.
 */
export function usePageContext(pageId: string): UsedPageContext {
  const [live, view] = useLive<PageView, LivePage>({
    name: `page ${pageId}`,
    make: (client, announcements) => new LivePage(client, pageId, announcements),
  })
  return useMemo(() => {
    const { update, flush, refresh, dismissError } = live
    return {
      ...view,
      update,
      flush,
      refresh,
      dismissError,
      setActiveFile: (activeFile) => update({ activeFile }),
      setCurrentTopic: (currentTopic) => update({ currentTopic }),
      setEntity: (name, value) => update({ entities: { [name]: value } }),
      setPreference: (name, value) => update({ preferences: { [name]: value } }),
    }
  }, [live, view])
}
