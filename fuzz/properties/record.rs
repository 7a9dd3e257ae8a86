//! Records of the journal (`store/record.rs`): any bytes are records or none, without a panic and
//! without room for more than is there; records that are written come back.

use gamekeeper::store::Record;

pub fn holds(data: &[u8]) {
    let Ok(records) = postcard::from_bytes::<Vec<Record>>(data) else {
        return;
    };
    // Each takes at least a byte.
    assert!(records.len() <= data.len());
    let bytes = postcard::to_stdvec(&records).unwrap();
    assert!(bytes.len() <= data.len(), "longer than it was");
    let again: Vec<Record> = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(again, records);
}
