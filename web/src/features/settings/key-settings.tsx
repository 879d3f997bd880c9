import { useId, useState } from 'react'
import { useRemote, type Wire } from 'recollect/react'
import { client } from '../../api/client.ts'
import { copyText } from '../../api/copy-text.ts'
import type { Key } from '../../api/types.ts'
import { formatAgo } from '../../format.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { SettingGroup } from './setting.tsx'

type WireKey = Wire<Key>

export function KeySettings() {
  const { value, error, refresh } = useRemote({
    name: 'keys',
    read: async (from, signal) =>
      (await from.request<{ keys: readonly WireKey[] }>('GET', '/api/keys', { signal })).keys,
  })
  const [isAsking, setAsking] = useState(false)
  const [made, setMade] = useState<string | undefined>()
  return (
    <SettingGroup
      title="Keys"
      lead="For programs and other machines. On this machine, none is needed unless the server was told so."
    >
      {error !== undefined && <p className="field-hint">{error.message}</p>}
      {value !== undefined && value.length > 0 && (
        <ul className="key-list">
          {value.map((key) => (
            <KeyRow key={key.id} row={key} onGone={refresh} />
          ))}
        </ul>
      )}
      {made !== undefined && (
        <div className="notice notice-good" role="status">
          <div className="notice-body">
            <strong>This is the key. It is shown this once.</strong>
            <code className="made-key">{made}</code>
          </div>
          <Button isSmall icon="copy" onClick={() => void copyText(made)}>
            Copy
          </Button>
        </div>
      )}
      <div>
        <Button icon="plus" onClick={() => setAsking(true)}>
          Make a key …
        </Button>
      </div>
      {isAsking && (
        <NewKeyDialog
          onMade={(key) => {
            setMade(key)
            void refresh()
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </SettingGroup>
  )
}

function KeyRow({ row, onGone }: { readonly row: WireKey; readonly onGone: () => Promise<void> }) {
  const revoke = async () => {
    try {
      await client.request('DELETE', `/api/keys/${encodeURIComponent(row.id)}`)
      showToast(`The key “${row.name}” opens nothing any more.`)
    } catch (error) {
      showToast(`It could not be revoked: ${error instanceof Error ? error.message : String(error)}`)
    }
    await onGone()
  }
  return (
    <li className="key-row">
      <span className="key-name">{row.name}</span>
      <span className="chip">{row.scope}</span>
      <span className="field-hint">
        {row.lastUsedAt === undefined ? 'never used' : `used ${formatAgo(row.lastUsedAt)}`}
      </span>
      <IconButton icon="trash" label={`Revoke the key ${row.name}`} isSmall onClick={() => void revoke()} />
    </li>
  )
}

interface NewKeyDialogProps {
  readonly onMade: (key: string) => void
  readonly onClose: () => void
}

function NewKeyDialog({ onMade, onClose }: NewKeyDialogProps) {
  const [name, setName] = useState('')
  const [scope, setScope] = useState('write')
  const ids = { name: useId(), scope: useId() }
  const make = async () => {
    try {
      const body = { scope, ...(name.trim() !== '' && { name: name.trim() }) }
      onMade((await client.request<{ key: string }>('POST', '/api/keys', { body })).key)
    } catch (error) {
      showToast(`It could not be made: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return (
    <Dialog title="A new key" action="Make it" onSubmit={() => void make()} onClose={onClose}>
      <div className="field">
        <label className="field-label" htmlFor={ids.name}>
          What it is for
        </label>
        <input
          id={ids.name}
          className="input"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      <div className="field">
        <label className="field-label" htmlFor={ids.scope}>
          What it may do
        </label>
        <select
          id={ids.scope}
          className="input"
          value={scope}
          onChange={(event) => setScope(event.target.value)}
        >
          <option value="read">read: look and search</option>
          <option value="write">write: the same, record, change and erase</option>
          <option value="admin">admin: everything</option>
          <option value="metrics">metrics: figures only</option>
        </select>
      </div>
    </Dialog>
  )
}
