/** `recollect/testing`: scripted models for your own tests. */

export type { ScriptedReply, ScriptedRequest, ScriptedStep } from './scripted-models.ts'
export {
  type ScriptedAnswer,
  type ScriptedEmbedder,
  type ScriptedModel,
  scriptedEmbedder,
  scriptedModel,
} from './scripted-models.ts'
export { type ScriptedServer, startScriptedServer } from './scripted-server.ts'
