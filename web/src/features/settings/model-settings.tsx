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
        name="Chat model"
        isUsed={chat !== null}
        isResting={chat?.isResting}
        text={chat?.name ?? 'Not connected. Answers are composed from memory.'}
      />
      <State
        name="Embeddings"
        isUsed={embeddings !== null}
        isResting={embeddings?.isResting}
        text={embeddings === null ? 'Built in' : 'Embedding model'}
      />
      <State
        name="Reranker"
        isUsed={rerank !== null}
        isResting={rerank?.isResting}
        text={rerank?.name ?? 'Built in'}
      />
      <State
        name="Web search"
        isUsed={webSearch !== null}
        isResting={webSearch?.isResting}
        text={webSearch?.name ?? 'Off'}
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
        {isResting && ' (paused after repeated failures)'}
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
        Connect a model
      </summary>
      <p>
        If Ollama runs on this machine, it is detected when the server starts. Any other server with an
        OpenAI-compatible API works too, such as llama.cpp, vLLM or a hosted one. You choose the model when
        you start the server, so that no web page can change where your messages are sent.
      </p>
      <CodeBlock text={OLLAMA} language="sh" />
    </details>
  )
}
