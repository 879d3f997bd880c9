/** `recollect/testing`: models that do as they are told, for tests of your own. */

export type { ScriptedReply, ScriptedRequest, ScriptedStep } from './scripted-models.ts'
export {
  type ScriptedAnswer,
  type ScriptedEmbedder,
  type ScriptedModel,
  scriptedEmbedder,
  scriptedModel,
} from './scripted-models.ts'
export { type ScriptedServer, startScriptedServer } from './scripted-server.ts'
