// Fields of AWS CloudTrail records that have columns. The nested identity is read by the decoder.

export const CLOUDTRAIL_FIELD_COLUMNS: Readonly<Record<string, string>> = {
  eventName: 'Operation',
  eventType: 'EventType',
  eventSource: 'CloudService',
  awsRegion: 'CloudRegion',
  recipientAccountId: 'CloudAccountId',
  sourceIPAddress: 'SrcIpAddr',
  userAgent: 'HttpUserAgent',
  errorCode: 'EventResultDetails',
  errorMessage: 'Message',
};
