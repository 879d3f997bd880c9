import { type ClipboardEvent, type DragEvent, type ReactNode, useRef, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import './documents.css'

interface DropZoneProps {
  readonly className: string
  readonly text: string
  readonly onFiles: (files: readonly File[]) => void
  readonly children: ReactNode
}

/** Accepts dropped and pasted files. */
export function DropZone({ className, text, onFiles, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false)
  // Entering a child fires "leave" on its parent, so the pointer is out only when the depth is 0.
  const depth = useRef(0)
  const enter = (by: number) => {
    depth.current = Math.max(0, depth.current + by)
    setOver(depth.current > 0)
  }
  const drop = (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    depth.current = 0
    setOver(false)
    onFiles([...event.dataTransfer.files])
  }
  const paste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (files.length === 0) return
    event.preventDefault()
    onFiles(files)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a button does the same for keyboard users
    <div
      className={className}
      onDragEnter={(event) => hasFiles(event) && enter(1)}
      onDragLeave={(event) => hasFiles(event) && enter(-1)}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDrop={drop}
      onPaste={paste}
    >
      {children}
      {isOver && (
        <div className="drop-veil">
          <Icon name="attach" size={28} />
          {text}
        </div>
      )}
    </div>
  )
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files')
