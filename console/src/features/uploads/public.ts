// What the pages of sources use of uploads: the dialog that sends a file of events to a source.
export { UploadEvents } from './upload-events.tsx';
