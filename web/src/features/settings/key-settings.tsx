import { useId, useState } from 'react'
import { useRemote, type Wire } from 'recollect/react'
import { client } from '../../api/client.ts'
import { copyText } from '../../api/copy-text.ts'
import type { Key } from '../../api/types.ts'
import { formatAgo } from '../../format.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'
import { SettingGroup } from './setting.tsx'

type WireKey = Wire<Key>

export function KeySettings() {
  const { value, error, refresh } = useRemote({
    name: 'keys',
    read: async (from, signal) =>
      (await from.request<{ keys: readonly WireKey[] }>('GET', '/api/keys', { signal })).keys,
  })
  const [isCreating, setCreating] = useState(false)
  const [newKey, setNewKey] = useState<string | undefined>()
  return (
    <SettingGroup
      title="API keys"
      lead="For programs and other machines. Requests from this machine don’t need a key unless the server requires one."
    >
      {error !== undefined && <p className="field-hint">{error.message}</p>}
      {value !== undefined && value.length > 0 && (
        <ul className="key-list">
          {value.map((key) => (
            <KeyRow key={key.id} row={key} onRevoked={refresh} />
          ))}
        </ul>
      )}
      {newKey !== undefined && (
        <div className="notice notice-good" role="status">
          <div className="notice-body">
            <strong>Copy this key now. It won’t be shown again.</strong>
            <code className="made-key">{newKey}</code>
          </div>
          <Button isSmall icon="copy" onClick={() => void copyText(newKey)}>
            Copy
          </Button>
        </div>
      )}
      <div>
        <Button icon="plus" onClick={() => setCreating(true)}>
          Create key…
        </Button>
      </div>
      {isCreating && (
        <NewKeyDialog
          onCreated={(key) => {
            setNewKey(key)
            void refresh()
          }}
          onClose={() => setCreating(false)}
        />
      )}
    </SettingGroup>
  )
}

function KeyRow({ row, onRevoked }: { readonly row: WireKey; readonly onRevoked: () => Promise<void> }) {
  const revoke = async () => {
    try {
      await client.request('DELETE', `/api/keys/${encodeURIComponent(row.id)}`)
      showToast(`Revoked “${row.name}”.`)
    } catch (error) {
      showError('Couldn’t revoke the key', error)
    }
    await onRevoked()
  }
  return (
    <li className="key-row">
      <span className="key-name">{row.name}</span>
      <span className="chip">{row.scope}</span>
      <span className="field-hint">
        {row.lastUsedAt === undefined ? 'never used' : `used ${formatAgo(row.lastUsedAt)}`}
      </span>
      <IconButton icon="trash" label={`Revoke ${row.name}`} isSmall onClick={() => void revoke()} />
    </li>
  )
}

interface NewKeyDialogProps {
  readonly onCreated: (key: string) => void
  readonly onClose: () => void
}

function NewKeyDialog({ onCreated, onClose }: NewKeyDialogProps) {
  const [name, setName] = useState('')
  const [scope, setScope] = useState('write')
  const ids = { name: useId(), scope: useId() }
  const create = async () => {
    try {
      const body = { scope, ...(name.trim() !== '' && { name: name.trim() }) }
      onCreated((await client.request<{ key: string }>('POST', '/api/keys', { body })).key)
    } catch (error) {
      showError('Couldn’t create the key', error)
    }
  }
  return (
    <Dialog title="Create API key" action="Create" onSubmit={() => void create()} onClose={onClose}>
      <div className="field">
        <label className="field-label" htmlFor={ids.name}>
          Name
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
          Permissions
        </label>
        <select
          id={ids.scope}
          className="input"
          value={scope}
          onChange={(event) => setScope(event.target.value)}
        >
          <option value="read">Read: view and search</option>
          <option value="write">Write: also record, change and delete</option>
          <option value="admin">Admin: everything</option>
          <option value="metrics">Metrics: metrics only</option>
        </select>
      </div>
    </Dialog>
  )
}
