//! Packs the metric samples of one series and day into a compressed chunk, bit for bit.
//!
//! Owns the format of `metric_chunk.body`. Values come back with exactly the bits that went in, including -0.0 and
//! the payload of a NaN. Values packed as numbers are decoded and compared before the chunk is kept. Deliberately
//! knows nothing about series or SQL.
//!
//! Format: one byte for how timestamps are stored (0: first and step, 1: pco of the timestamps), one for how values
//! are stored (0: all equal, 1: pco of the numbers, 2: pco of their bits), the number of samples (u32), the length of
//! the stored timestamps in bytes (u32), the timestamps, the values; all little-endian.

use liftdeck_model::Timestamp;
use liftdeck_model::metric::MetricSample;
use pco::ChunkConfig;
use pco::standalone::{simple_compress, simple_decompress};

use crate::error::StoreError;

/// Compression level. Higher ones were measured to gain nothing on a day's samples.
const LEVEL: usize = 8;
/// A day has 86 400 seconds; a larger count can only mean damage.
const MOST_SAMPLES: u32 = 1_000_000;
const HEADER: usize = 10;

fn damaged(what: &str) -> StoreError {
    StoreError::Unreadable { what: format!("a metric chunk: {what}") }
}

/// Packs samples sorted by time.
pub(crate) fn encode(samples: &[MetricSample]) -> Result<Vec<u8>, StoreError> {
    let config = ChunkConfig::default().with_compression_level(LEVEL);
    let moments: Vec<i64> = samples.iter().map(|sample| sample.at.as_ms()).collect();
    let values: Vec<f64> = samples.iter().map(|sample| sample.value).collect();
    let bits: Vec<u64> = values.iter().map(|value| value.to_bits()).collect();
    let (moment_kind, moment_bytes) = match regular(&moments) {
        Some((first, step)) => (0, [first.to_le_bytes(), step.to_le_bytes()].concat()),
        None => (1, simple_compress(&moments, &config).map_err(|error| damaged(&error.to_string()))?),
    };
    let (value_kind, value_bytes) = match bits.split_first() {
        Some((first, rest)) if rest.iter().all(|other| other == first) => (0, first.to_le_bytes().to_vec()),
        _ => {
            let numbers = simple_compress(&values, &config).map_err(|error| damaged(&error.to_string()))?;
            let back = simple_decompress::<f64>(&numbers).map_err(|error| damaged(&error.to_string()))?;
            if back.len() == bits.len()
                && back.iter().zip(&bits).all(|(value, bits)| value.to_bits() == *bits)
            {
                (1, numbers)
            } else {
                (2, simple_compress(&bits, &config).map_err(|error| damaged(&error.to_string()))?)
            }
        }
    };
    let count = u32::try_from(samples.len()).map_err(|_| damaged("too many samples"))?;
    let length = u32::try_from(moment_bytes.len()).map_err(|_| damaged("too many moments"))?;
    let mut body = Vec::with_capacity(HEADER + moment_bytes.len() + value_bytes.len());
    body.extend_from_slice(&[moment_kind, value_kind]);
    body.extend_from_slice(&count.to_le_bytes());
    body.extend_from_slice(&length.to_le_bytes());
    body.extend_from_slice(&moment_bytes);
    body.extend_from_slice(&value_bytes);
    Ok(body)
}

/// Unpacks a chunk.
pub(crate) fn decode(body: &[u8]) -> Result<Vec<MetricSample>, StoreError> {
    let (header, rest) = body.split_at_checked(HEADER).ok_or_else(|| damaged("cut off"))?;
    let [moment_kind, value_kind, c0, c1, c2, c3, l0, l1, l2, l3] = *header else {
        return Err(damaged("cut off"));
    };
    let count = u32::from_le_bytes([c0, c1, c2, c3]);
    if count > MOST_SAMPLES {
        return Err(damaged("claims too many samples"));
    }
    let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
    let (moment_bytes, value_bytes) = rest.split_at_checked(length).ok_or_else(|| damaged("cut off"))?;
    let count = count as usize;
    let moments = match moment_kind {
        0 => {
            let (first, step) = moment_bytes.split_at_checked(8).ok_or_else(|| damaged("no moments"))?;
            let (first, step) = (number(first)?, number(step)?);
            (0_i64..).take(count).map(|index| first.wrapping_add(step.wrapping_mul(index))).collect()
        }
        1 => simple_decompress::<i64>(moment_bytes).map_err(|error| damaged(&error.to_string()))?,
        _ => return Err(damaged("unknown kind of moments")),
    };
    let values: Vec<f64> = match value_kind {
        0 => vec![f64::from_bits(number(value_bytes)?.cast_unsigned()); count],
        1 => simple_decompress(value_bytes).map_err(|error| damaged(&error.to_string()))?,
        2 => simple_decompress::<u64>(value_bytes)
            .map_err(|error| damaged(&error.to_string()))?
            .into_iter()
            .map(f64::from_bits)
            .collect(),
        _ => return Err(damaged("unknown kind of values")),
    };
    if moments.len() != count || values.len() != count {
        return Err(damaged("its number of samples differs from its header"));
    }
    let sample = |(at, value): (i64, f64)| MetricSample { at: Timestamp::from_ms(at), value };
    Ok(moments.into_iter().zip(values).map(sample).collect())
}

/// Merges two lists sorted by time into one. Where both have a sample at the same time, `newer` wins.
pub(crate) fn merge(older: &[MetricSample], newer: &[MetricSample]) -> Vec<MetricSample> {
    let mut merged = Vec::with_capacity(older.len() + newer.len());
    let mut rest = older;
    for sample in newer {
        let before = rest.partition_point(|other| other.at < sample.at);
        let (earlier, later) = rest.split_at(before);
        merged.extend_from_slice(earlier);
        merged.push(*sample);
        rest = match later.split_first() {
            Some((first, after)) if first.at == sample.at => after,
            _ => later,
        };
    }
    merged.extend_from_slice(rest);
    merged
}

/// First timestamp and step of equally spaced timestamps; otherwise `None`.
fn regular(moments: &[i64]) -> Option<(i64, i64)> {
    let (first, second) = (*moments.first()?, *moments.get(1)?);
    let step = second.checked_sub(first)?;
    let even = moments.windows(2).all(|pair| matches!(pair, [a, b] if b.checked_sub(*a) == Some(step)));
    even.then_some((first, step))
}

fn number(bytes: &[u8]) -> Result<i64, StoreError> {
    bytes.try_into().map(i64::from_le_bytes).map_err(|_| damaged("a number is cut off"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn samples(moments: &[i64], bits: &[u64]) -> Vec<MetricSample> {
        let pairs = moments.iter().zip(bits);
        pairs
            .map(|(at, bits)| MetricSample { at: Timestamp::from_ms(*at), value: f64::from_bits(*bits) })
            .collect()
    }

    fn bits(samples: &[MetricSample]) -> Vec<(i64, u64)> {
        samples.iter().map(|sample| (sample.at.as_ms(), sample.value.to_bits())).collect()
    }

    #[test]
    fn minus_zero_and_the_payload_of_a_nan_come_back() {
        let odd =
            [(-0.0_f64).to_bits(), 0, 0x7ff8_0000_dead_beef, f64::INFINITY.to_bits(), 0xfff0_0000_0000_0001];
        let given = samples(&[1, 2, 3, 4, 5], &odd);
        assert_eq!(bits(&decode(&encode(&given).unwrap()).unwrap()), bits(&given));
    }

    #[test]
    fn a_constant_day_takes_a_few_bytes() {
        let moments: Vec<i64> = (0..1_440).map(|minute| minute * 60_000).collect();
        let given = samples(&moments, &vec![42.0_f64.to_bits(); 1_440]);
        assert!(encode(&given).unwrap().len() < 40);
    }

    #[test]
    fn every_cut_of_a_chunk_is_an_error_and_never_a_panic() {
        let moments: Vec<i64> = (0..50).map(|index| index * index * 977).collect();
        let values: Vec<u64> = (0..50).map(|index| (f64::from(index) * 1.37).to_bits()).collect();
        let body = encode(&samples(&moments, &values)).unwrap();
        for cut in 0..body.len() {
            assert!(decode(&body[..cut]).is_err(), "cut at {cut}");
        }
    }

    proptest! {
        #[test]
        fn every_series_comes_back_bit_for_bit(pairs in prop::collection::btree_map(any::<i64>(), any::<u64>(), 1..200)) {
            let (moments, values): (Vec<i64>, Vec<u64>) = pairs.into_iter().unzip();
            let given = samples(&moments, &values);
            prop_assert_eq!(bits(&decode(&encode(&given).unwrap()).unwrap()), bits(&given));
        }

        #[test]
        fn damage_is_an_error_and_never_a_panic(body in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode(&body);
        }

        #[test]
        fn a_merge_holds_every_moment_once_and_the_newer_value(
            older in prop::collection::btree_map(0_i64..60, any::<u64>(), 0..40),
            newer in prop::collection::btree_map(0_i64..60, any::<u64>(), 0..40),
        ) {
            let list = |map: &std::collections::BTreeMap<i64, u64>| {
                let (moments, values): (Vec<i64>, Vec<u64>) = map.iter().map(|(at, bits)| (*at, *bits)).unzip();
                samples(&moments, &values)
            };
            let mut expected = older.clone();
            expected.extend(newer.clone());
            prop_assert_eq!(bits(&merge(&list(&older), &list(&newer))), bits(&list(&expected)));
        }
    }
}
