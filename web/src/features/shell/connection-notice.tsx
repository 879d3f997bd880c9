import { type FormEvent, useId, useState } from 'react'
import { chooseKey } from '../../api/client.ts'
import { connection } from '../../api/connection.ts'
import { useStore } from '../../store.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

export function ConnectionNotice() {
  const state = useStore(connection)
  if (state === 'online') return null
  if (state === 'locked') return <KeyForm />
  return (
    <div className="connection-notice" role="status">
      <Icon name="offline" />
      <span>Can’t reach the server. Your draft is saved, and the app reconnects automatically.</span>
      <span className="spinner" />
    </div>
  )
}

function KeyForm() {
  const [key, setKey] = useState('')
  const id = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    chooseKey(key.trim())
    location.reload()
  }
  return (
    <form className="connection-notice connection-key" onSubmit={submit}>
      <Icon name="key" />
      <label htmlFor={id}>This server requires an API key.</label>
      <input
        id={id}
        className="input"
        type="password"
        autoComplete="off"
        value={key}
        onChange={(event) => setKey(event.target.value)}
      />
      <Button type="submit" look="primary" isSmall disabled={key.trim() === ''}>
        Continue
      </Button>
    </form>
  )
}
