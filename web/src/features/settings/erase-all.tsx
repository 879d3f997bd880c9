import { useId, useState } from 'react'
import { client } from '../../api/client.ts'
import { tellTabs } from '../../api/tabs.ts'
import { plural } from '../../format.ts'
import { navigate } from '../../router.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { refreshList } from '../conversations/conversation-list.ts'
import { Setting, SettingGroup } from './setting.tsx'

const WORDS = 'erase everything'

export function EraseAll() {
  const [isAsking, setAsking] = useState(false)
  return (
    <SettingGroup title="The end">
      <Setting
        name="Erase everything"
        hint="Chats, facts, documents and keys of this workspace: nothing of them is found in the files afterwards."
      >
        <Button look="danger" icon="trash" onClick={() => setAsking(true)}>
          Erase …
        </Button>
      </Setting>
      {isAsking && <EraseDialog onClose={() => setAsking(false)} />}
    </SettingGroup>
  )
}

function EraseDialog({ onClose }: { readonly onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const id = useId()
  return (
    <Dialog
      title="Erase everything?"
      action="Erase for good"
      isDanger
      isReady={typed.trim().toLowerCase() === WORDS}
      onSubmit={() => void eraseAll()}
      onClose={onClose}
    >
      <p>There is no way back. An export or a backup, made before, is the only one.</p>
      <div className="field">
        <label className="field-label" htmlFor={id}>
          Type “{WORDS}” to go on
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
    showToast(`Everything is erased: ${plural(erased.messages, 'message')}.`)
    tellTabs('conversations')
    await refreshList()
    navigate('/')
  } catch (error) {
    showToast(`It could not be erased: ${error instanceof Error ? error.message : String(error)}`)
  }
}
