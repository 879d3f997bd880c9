import { Icon } from '../../ui/icon.tsx'
import { CodeBlock } from '../markdown/code-block.tsx'
import '../markdown/markdown.css'
import { SettingGroup } from './setting.tsx'
import { type ModelState, useModelState } from './use-model-state.ts'

export function ModelSettings() {
  const { value, error } = useModelState()
  return (
    <SettingGroup title="Language model">
      {value !== undefined && <State state={value} />}
      {error !== undefined && value === undefined && <p className="setting-lead">{error.message}</p>}
      {value?.isConnected === false && <HowToConnect />}
    </SettingGroup>
  )
}

function State({ state }: { readonly state: ModelState }) {
  if (!state.isConnected)
    return (
      <p className="setting-state">
        <span className="state-dot" />
        No language model is connected. Everything works: answers are put together from what is remembered.
      </p>
    )
  return (
    <p className="setting-state">
      <span className="state-dot state-dot-good" />A language model is connected.
    </p>
  )
}

const OLLAMA = `ollama pull qwen3
RECOLLECT_CHAT_MODEL=qwen3 \\
RECOLLECT_CHAT_BASE_URL=http://localhost:11434/v1 \\
npx recollect serve`

function HowToConnect() {
  return (
    <details className="how-to">
      <summary>
        <Icon name="chevron" size={16} />
        How to connect one
      </summary>
      <p>
        Any server that speaks OpenAI’s API will do: Ollama, llama.cpp or vLLM on this machine, or one
        elsewhere. The model is chosen where the server is started, so that no web page can change where your
        words go.
      </p>
      <CodeBlock text={OLLAMA} language="sh" />
    </details>
  )
}
