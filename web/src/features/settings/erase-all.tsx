import { useId, useState } from 'react'
import { client } from '../../api/client.ts'
import { notifyTabs } from '../../api/tabs.ts'
import { plural } from '../../format.ts'
import { navigate } from '../../router.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'
import { refreshList } from '../conversations/conversation-list.ts'
import { Setting, SettingGroup } from './setting.tsx'

const CONFIRMATION = 'erase everything'

export function EraseAll() {
  const [isConfirming, setConfirming] = useState(false)
  return (
    <SettingGroup title="Danger zone">
      <Setting
        name="Erase everything"
        hint="Permanently removes all chats, facts, documents and API keys in this workspace. Nothing remains in the database files."
      >
        <Button look="danger" icon="trash" onClick={() => setConfirming(true)}>
          Erase…
        </Button>
      </Setting>
      {isConfirming && <EraseDialog onClose={() => setConfirming(false)} />}
    </SettingGroup>
  )
}

function EraseDialog({ onClose }: { readonly onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const id = useId()
  return (
    <Dialog
      title="Erase everything?"
      action="Erase everything"
      isDanger
      isReady={typed.trim().toLowerCase() === CONFIRMATION}
      onSubmit={() => void eraseAll()}
      onClose={onClose}
    >
      <p>This can’t be undone. Export or back up first.</p>
      <div className="field">
        <label className="field-label" htmlFor={id}>
          Type “{CONFIRMATION}” to confirm
        </label>
        <input
          id={id}
          className="input"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
    </Dialog>
  )
}

async function eraseAll(): Promise<void> {
  try {
    const { workspace } = await client.statistics()
    const path = `/api/workspaces/${encodeURIComponent(workspace)}`
    const { erased } = await client.request<{ erased: { messages: number } }>('DELETE', path)
    showToast(`Erased everything: ${plural(erased.messages, 'message')}.`)
    notifyTabs('conversations')
    await refreshList()
    navigate('/')
  } catch (error) {
    showError('Couldn’t erase everything', error)
  }
}
