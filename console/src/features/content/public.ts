// What other features use of content: what is newer, what leaves as a file, and what comes in.

export { DownloadContentDialog } from './download-content-dialog.tsx';
export { UpdatesButton } from './updates-button.tsx';
export { UploadContentDialog } from './upload-content-dialog.tsx';
