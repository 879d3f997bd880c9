import { Icon } from '../../ui/icon.tsx'
import { CodeBlock } from '../markdown/code-block.tsx'
import '../markdown/markdown.css'
import { SettingGroup } from './setting.tsx'
import { type Models, useModels } from './use-models.ts'

export function ModelSettings() {
  const { value, error } = useModels()
  return (
    <SettingGroup title="Models">
      {value !== undefined && <States models={value} />}
      {error !== undefined && value === undefined && <p className="field-hint">{error.message}</p>}
      {value?.chat === null && <HowToConnect />}
    </SettingGroup>
  )
}

function States({ models: { chat, embeddings, rerank, webSearch } }: { readonly models: Models }) {
  return (
    <ul className="model-states">
      <State
        name="Answers"
        isUsed={chat !== null}
        isResting={chat?.isResting}
        text={chat?.name ?? 'put together from what is remembered; no language model is connected'}
      />
      <State
        name="Meaning"
        isUsed={embeddings !== null}
        isResting={embeddings?.isResting}
        text={embeddings === null ? 'built in' : 'an embedding model'}
      />
      <State
        name="Order of what is recalled"
        isUsed={rerank !== null}
        isResting={rerank?.isResting}
        text={rerank?.name ?? 'built in'}
      />
      <State
        name="Web search"
        isUsed={webSearch !== null}
        isResting={webSearch?.isResting}
        text={webSearch?.name ?? 'off'}
      />
    </ul>
  )
}

interface StateProps {
  readonly name: string
  readonly isUsed: boolean
  readonly isResting: boolean | undefined
  readonly text: string
}

function State({ name, isUsed, isResting = false, text }: StateProps) {
  const look = isResting ? 'state-dot-bad' : 'state-dot-good'
  return (
    <li className="setting-state">
      <span className={isUsed ? `state-dot ${look}` : 'state-dot'} />
      <span className="setting-name">{name}</span>
      <span className="state-text">
        {text}
        {isResting && '; it failed repeatedly and is left alone for a while'}
      </span>
    </li>
  )
}

const OLLAMA = `ollama pull qwen3
RECOLLECT_MODELS_CHAT_MODEL=qwen3 \\
RECOLLECT_MODELS_CHAT_URL=http://localhost:11434/v1 \\
npx recollect serve`

function HowToConnect() {
  return (
    <details className="how-to">
      <summary>
        <Icon name="chevron" size={16} />
        How to connect one
      </summary>
      <p>
        An Ollama on this machine is found by itself when the server starts. Any other server that speaks
        OpenAI’s API will do, too: llama.cpp or vLLM here, or one elsewhere. The model is chosen where the
        server is started, so that no web page can change where your words go.
      </p>
      <CodeBlock text={OLLAMA} language="sh" />
    </details>
  )
}
