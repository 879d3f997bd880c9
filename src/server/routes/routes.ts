import type { Route } from '../route.ts'
import { chatRoutes, proxyRoutes } from './chat.ts'
import { contextRoutes, summaryRoutes } from './context.ts'
import { conversationRoutes, messageRoutes } from './conversations.ts'
import { documentRoutes } from './documents.ts'
import { factRoutes } from './facts.ts'
import { blockRoutes, entityRoutes, feedbackRoutes, noteRoutes, preferenceRoutes } from './knowledge.ts'
import { pageRoutes } from './pages.ts'
import { recallRoutes, searchRoutes } from './recall.ts'
import { eventRoutes, modelRoutes, serverRoutes } from './server.ts'
import { topicRoutes } from './topics.ts'
import { transferRoutes } from './transfer.ts'
import { upkeepRoutes } from './upkeep.ts'
import { workspaceRoutes } from './workspaces.ts'

/** Every route of the server, in the order of the docs. */
export const ROUTES: readonly Route[] = [
  ...serverRoutes,
  ...modelRoutes,
  ...eventRoutes,
  ...conversationRoutes,
  ...messageRoutes,
  ...contextRoutes,
  ...chatRoutes,
  ...proxyRoutes,
  ...recallRoutes,
  ...documentRoutes,
  ...searchRoutes,
  ...topicRoutes,
  ...summaryRoutes,
  ...factRoutes,
  ...entityRoutes,
  ...preferenceRoutes,
  ...blockRoutes,
  ...noteRoutes,
  ...feedbackRoutes,
  ...pageRoutes,
  ...transferRoutes,
  ...upkeepRoutes,
  ...workspaceRoutes,
]
