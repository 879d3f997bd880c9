/** `recollect/testing`: models that do as they are told, for tests of your own. */

export { type ScriptedEmbedder, scriptedEmbedder } from './scripted-embedder.ts'
export { type ScriptedAnswer, type ScriptedModel, scriptedModel } from './scripted-model.ts'
export type { ScriptedReply, ScriptedRequest, ScriptedStep } from './scripted-reply.ts'
export { type ScriptedServer, startScriptedServer } from './scripted-server.ts'
